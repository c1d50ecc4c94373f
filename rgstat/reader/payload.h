/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text after an event's name, by event. */
#ifndef RG_PAYLOAD_H
#define RG_PAYLOAD_H

#include "event.h"
#include "scan.h"

/*
 * Set ev's kind and fields from the payload that s stands at; an event that
 * has no parser is RG_EV_OTHER. name has len bytes.
 */
enum rg_line rg_payload_parse(const char *name, size_t len, struct rg_scan *s,
			      struct rg_event *ev);

#endif
