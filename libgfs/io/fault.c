// SPDX-License-Identifier: GPL-2.0-or-later
/* The device that fails or stops on purpose. */
#include "fault.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct fault_dev {
	struct gfs_dev dev;
	struct gfs_dev *base;
	bool owns_base;
	struct gfs_fault_plan plan;
	uint64_t reads, writes; /* so far, this one included; atomic */
};

static struct fault_dev *fault_of(struct gfs_dev *dev)
{
	return (struct fault_dev *)dev;
}

static bool is_due(uint64_t now, uint64_t nth, bool after)
{
	return nth && (now == nth || (after && now > nth));
}

static int fault_before_read(struct fault_dev *f, uint64_t len, uint64_t off)
{
	const struct gfs_fault_plan *p = &f->plan;
	uint64_t now = __atomic_add_fetch(&f->reads, 1, __ATOMIC_RELAXED);

	if (is_due(now, p->fail_read, p->fail_after))
		return p->error;
	if (off < p->bad_to && p->bad_from < off + len)
		return p->error;
	return 0;
}

static int fault_read(struct gfs_dev *dev, void *buf, size_t len, uint64_t off)
{
	struct fault_dev *f = fault_of(dev);
	int rc = fault_before_read(f, len, off);

	return rc ? rc : gfs_dev_read(f->base, buf, len, off);
}

static uint64_t iov_bytes(const struct iovec *iov, int n)
{
	uint64_t sum = 0;

	for (int i = 0; i < n; i++)
		sum += iov[i].iov_len;
	return sum;
}

static int fault_readv(struct gfs_dev *dev, const struct iovec *iov, int n,
		       uint64_t off)
{
	struct fault_dev *f = fault_of(dev);
	int rc = fault_before_read(f, iov_bytes(iov, n), off);

	return rc ? rc : gfs_dev_readv(f->base, iov, n, off);
}

/* The first `bytes` bytes of an iovec. */
static int write_torn(struct gfs_dev *base, const struct iovec *iov, int n,
		      uint64_t off, uint64_t bytes)
{
	for (int i = 0; i < n && bytes; i++) {
		size_t len = (size_t)gfs_min(iov[i].iov_len, bytes);
		int rc = gfs_dev_write(base, iov[i].iov_base, len, off);

		if (rc)
			return rc;
		off += len;
		bytes -= len;
	}
	return 0;
}

static bool is_stopped(const struct fault_dev *f)
{
	return f->plan.stop_write && f->writes >= f->plan.stop_write;
}

static int fault_write(struct gfs_dev *dev, const struct iovec *iov, int n,
		       uint64_t off)
{
	struct fault_dev *f = fault_of(dev);
	bool was_stopped = is_stopped(f);

	f->writes++;
	if (was_stopped)
		return 0;
	if (is_due(f->writes, f->plan.fail_write, f->plan.fail_after))
		return f->plan.error;
	if (is_stopped(f))
		return write_torn(f->base, iov, n, off, f->plan.torn);
	return gfs_dev_writev(f->base, iov, n, off);
}

static int fault_flush(struct gfs_dev *dev)
{
	struct fault_dev *f = fault_of(dev);

	return is_stopped(f) ? 0 : gfs_dev_flush(f->base);
}

static int fault_discard(struct gfs_dev *dev, uint64_t off, uint64_t len)
{
	struct fault_dev *f = fault_of(dev);

	return is_stopped(f) ? 0 : gfs_dev_discard(f->base, off, len);
}

static void fault_prefetch(struct gfs_dev *dev, uint64_t off, uint64_t len)
{
	gfs_dev_prefetch(fault_of(dev)->base, off, len);
}

static int fault_fd(const struct gfs_dev *dev)
{
	return gfs_dev_fd(((const struct fault_dev *)dev)->base);
}

static void fault_close(struct gfs_dev *dev)
{
	struct fault_dev *f = fault_of(dev);

	if (f->owns_base)
		gfs_dev_close(f->base);
	free(f);
}

static const struct gfs_dev_ops fault_ops = {
	.kind = "fault",
	.read = fault_read,
	.readv = fault_readv,
	.write = fault_write,
	.flush = fault_flush,
	.discard = fault_discard,
	.prefetch = fault_prefetch,
	.fd = fault_fd,
	.close = fault_close,
};

int gfs_dev_fault_open(struct gfs_dev **dev, struct gfs_dev *base,
		       const struct gfs_fault_plan *plan)
{
	struct fault_dev *f = calloc(1, sizeof(*f));

	*dev = NULL;
	if (!f)
		return -ENOMEM;
	f->dev = (struct gfs_dev){
		.ops = &fault_ops,
		.name = strdup(base->name),
		.size = base->size,
		.readonly = base->readonly,
		.is_block = base->is_block,
		.sector = base->sector,
	};
	if (!f->dev.name) {
		free(f);
		return -ENOMEM;
	}
	f->base = base;
	f->plan = *plan;
	if (!f->plan.error)
		f->plan.error = -EIO;
	if (f->plan.error > 0)
		f->plan.error = -f->plan.error;
	*dev = &f->dev;
	return 0;
}

void gfs_dev_fault_own(struct gfs_dev *dev)
{
	fault_of(dev)->owns_base = true;
}

/* An unsigned number at *text, which moves behind it. */
static int parse_u64(const char **text, uint64_t *value)
{
	char *end;

	if (**text < '0' || **text > '9')
		return -EINVAL;
	errno = 0;
	*value = strtoull(*text, &end, 0);
	*text = end;
	return errno ? -EINVAL : 0;
}

static int parse_number(const char *text, uint64_t *value)
{
	int rc = parse_u64(&text, value);

	return rc || *text ? -EINVAL : 0;
}

static int parse_torn(const char *text, uint32_t *torn)
{
	uint64_t value;
	int rc = parse_number(text, &value);

	if (rc || value > UINT32_MAX)
		return -EINVAL;
	*torn = (uint32_t)value;
	return 0;
}

static int parse_range(const char *text, struct gfs_fault_plan *plan)
{
	int rc = parse_u64(&text, &plan->bad_from);

	if (rc || *text != '-')
		return -EINVAL;
	rc = parse_number(text + 1, &plan->bad_to);
	return rc || plan->bad_from >= plan->bad_to ? -EINVAL : 0;
}

static int parse_error(const char *text, int *error)
{
	for (int code = 1; code < GFS_ELAST; code++) {
		if (!strcmp(gfs_errname(code), text)) {
			*error = -code;
			return 0;
		}
	}
	return -EINVAL;
}

static int parse_item(struct gfs_fault_plan *plan, const char *item)
{
	const char *value = strchr(item, '=');
	size_t len = value ? (size_t)(value - item) : 0;

	if (!strcmp(item, "after")) {
		plan->fail_after = true;
		return 0;
	}
	if (!value++)
		return -EINVAL;
	if (len == 4 && !memcmp(item, "read", len))
		return parse_number(value, &plan->fail_read);
	if (len == 5 && !memcmp(item, "write", len))
		return parse_number(value, &plan->fail_write);
	if (len == 4 && !memcmp(item, "stop", len))
		return parse_number(value, &plan->stop_write);
	if (len == 4 && !memcmp(item, "torn", len))
		return parse_torn(value, &plan->torn);
	if (len == 5 && !memcmp(item, "error", len))
		return parse_error(value, &plan->error);
	if (len == 3 && !memcmp(item, "bad", len))
		return parse_range(value, plan);
	return -EINVAL;
}

int gfs_fault_parse(struct gfs_fault_plan *plan, const char *text)
{
	char *copy = strdup(text);
	char *save = NULL;
	int rc = 0;

	*plan = (struct gfs_fault_plan){ .error = -EIO };
	if (!copy)
		return -ENOMEM;
	for (char *item = strtok_r(copy, ",", &save); item && !rc;
	     item = strtok_r(NULL, ",", &save))
		rc = parse_item(plan, item);
	free(copy);
	return rc;
}
