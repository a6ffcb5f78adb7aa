// SPDX-License-Identifier: GPL-2.0
#include "trace/file_rows.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/*
 * Writes "127.0.0.1:80" or "[::1]:80", with "*" for what the sockets of the row do not have in
 * common.
 */
static void endpoint(char *buf, size_t size, int family, const void *address, bool any_address,
		     uint16_t port, bool any_port)
{
	char text[INET6_ADDRSTRLEN] = "*", number[8] = "*";

	if (!any_address)
		inet_ntop(family, address, text, sizeof(text));
	if (!any_port)
		snprintf(number, sizeof(number), "%u", port);
	snprintf(buf, size, family == AF_INET6 && !any_address ? "[%s]:%s" : "%s:%s", text, number);
}

char *socket_name(const struct iotrace_socket *s, uint32_t marks)
{
	const char *kind = s->type == SOCK_STREAM ? "tcp" : s->type == SOCK_DGRAM ? "udp" : "ip";
	char local[64], remote[64], *path;
	int err;

	endpoint(local, sizeof(local), s->family, s->local, marks & FILE_LOCAL_ADDRESSES,
		 s->local_port, marks & FILE_LOCAL_PORTS);
	endpoint(remote, sizeof(remote), s->family, s->remote, marks & FILE_REMOTE_ADDRESSES,
		 s->remote_port, marks & FILE_REMOTE_PORTS);
	err = s->remote_port ? asprintf(&path, "%s:%s->%s", kind, local, remote)
			     : asprintf(&path, "%s:%s", kind, local);
	return err < 0 ? NULL : path;
}

char *numbered_name(const char *kind, uint64_t number, bool several)
{
	char *name;
	int err = several ? asprintf(&name, "%s:[*]", kind)
			  : asprintf(&name, "%s:[%" PRIu64 "]", kind, number);

	return err < 0 ? NULL : name;
}

char *unix_name(const char *kind, const char *name, size_t len, bool abstract)
{
	char *path;

	return asprintf(&path, "%s:%s%.*s", kind, abstract ? "@" : "", (int)len, name) < 0 ? NULL
											   : path;
}

struct file_call *file_row_call(struct profile *p, uint32_t row, enum iotrace_abi abi, int nr,
				struct file_stats **f)
{
	struct file_call *call;

	*f = profile_file(p, row);
	call = *f ? file_stats_call(*f, abi, nr) : NULL;
	if (call && !call->name[0]) {
		syscall_name(abi, nr, call->name, sizeof(call->name));
		call->transfers = syscall_traits(abi, nr).transfers;
	}
	return call;
}

int file_row_add_user(struct profile *p, uint32_t row, pid_t pid, const char comm[16],
		      uint64_t calls)
{
	struct file_stats *f = profile_file(p, row);

	return f ? file_stats_add_user(f, pid, comm, calls) : -ENOMEM;
}

int file_row_add_users(struct profile *p, uint32_t row, const char comm[16], uint64_t processes,
		       uint64_t calls)
{
	struct file_user users = { .calls = calls, .processes = processes };
	struct file_stats *f = profile_file(p, row);

	memcpy(users.comm, comm, sizeof(users.comm));
	return f ? file_stats_merge_user(f, &users) : -ENOMEM;
}

int file_row_add_group(struct profile *p, uint32_t row, uint32_t group, uint64_t calls)
{
	const struct file_group added = { group, calls };
	struct file_stats *f = profile_file(p, row);

	return f ? file_groups_append(&f->groups, &f->nr_groups, &added, 1) : -ENOMEM;
}

int file_row_be_invalid(struct file_stats *f)
{
	f->kind = FILE_KIND_INVALID;
	if (!f->path)
		f->path = strdup("(not open)");
	return f->path ? 0 : -ENOMEM;
}

struct iotrace_port_range ephemeral_ports(void)
{
	FILE *file = fopen("/proc/sys/net/ipv4/ip_local_port_range", "re");
	struct iotrace_port_range range = { 32768, 60999 };
	unsigned first, last;

	if (file && fscanf(file, "%u %u", &first, &last) == 2 && first <= last && last <= 65535) {
		range.first = (uint16_t)first;
		range.last = (uint16_t)last;
	}
	if (file)
		fclose(file);
	return range;
}
