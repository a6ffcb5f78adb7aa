// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/files.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/array.h"
#include "base/text.h"
#include "model/profile_files.h"
#include "trace/file_rows.h"

/* What the text of a file means. */
struct meaning {
	enum file_kind kind;
	bool shared;   /* All files of this key, of programs of one name, share the row. */
	char *key;     /* Key of the row. */
	char *path;    /* Path of this file. */
	char *several; /* Path of the row once files share it. NULL: it stays the first one's. */
	struct iotrace_socket socket;
	int err;
};

struct file_entry {
	char *key;
	uint32_t id;
	uint32_t marks; /* What the row's files differ in, FILE_... */
	bool reborn;	/* It was deleted, and there is another file of its name. */
	struct iotrace_socket socket;
};

/*
 * Counts the connections of ports, as the log does not say who listens: a port that is the near end
 * of more connections than the far port is the far end of is a server's.
 */
struct port_counts {
	/* Number of connections of each port. */
	uint32_t near[UINT16_MAX + 1], far[UINT16_MAX + 1];
	uint16_t last_peer[UINT16_MAX + 1]; /* Far port of the near port's last connection. */
};

struct strace_files {
	struct port_counts ports;
	void *tree; /* The entries by key: tsearch(3). */
	size_t nr, max;
	struct iotrace_looks looks[LOOKED_PATHS]; /* The paths that were looked at last. */
	struct iotrace_port_range ephemeral;
};

static int compare_entries(const void *x, const void *y)
{
	const struct file_entry *a = x, *b = y;

	return strcmp(a->key, b->key);
}

static void free_entry(void *entry)
{
	free(((struct file_entry *)entry)->key);
	free(entry);
}

struct strace_files *strace_files__new(size_t max, struct iotrace_port_range ephemeral)
{
	struct strace_files *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->max = max;
	t->ephemeral = ephemeral;
	return t;
}

void strace_files__free(struct strace_files *t)
{
	if (!t)
		return;
	tdestroy(t->tree, free_entry);
	free(t);
}

static void __attribute__((format(printf, 2, 3))) set(char **text, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	if (vasprintf(text, fmt, args) < 0)
		*text = NULL;
	va_end(args);
}

/* ---- sockets ---- */

/*
 * Reads an end of a connection: "127.0.0.1:80", "[::1]:80". Returns what follows; NULL: it is none.
 */
static const char *read_end(const char *text, uint16_t family, uint64_t address[2], uint16_t *port)
{
	const char *begin = text + (*text == '['), *end, *colon;
	char copy[INET6_ADDRSTRLEN];
	char *rest;

	end = *text == '[' ? strchr(begin, ']') : strchr(begin, ':');
	if (!end || end - begin >= (ptrdiff_t)sizeof(copy))
		return NULL;
	colon = end + (*text == '[');
	memcpy(copy, begin, (size_t)(end - begin));
	copy[end - begin] = '\0';
	if (*colon != ':' || inet_pton(family, copy, address) != 1)
		return NULL;
	*port = (uint16_t)strtoul(colon + 1, &rest, 10);
	return rest;
}

/* Reads both ends: "127.0.0.1:52163->127.0.0.1:80]". */
static bool read_ends(struct iotrace_socket *s, const char *text)
{
	text = read_end(text, s->family, s->local, &s->local_port);
	if (text && !strncmp(text, "->", 2))
		text = read_end(text + 2, s->family, s->remote, &s->remote_port);
	return text && !strcmp(text, "]");
}

static bool is_servers_port(struct port_counts *ports, uint16_t near, uint16_t far)
{
	if (ports->last_peer[near] != far) {
		ports->last_peer[near] = far;
		ports->near[near]++;
		ports->far[far]++;
	}
	return ports->near[near] > ports->far[far];
}

static uint32_t role_of(struct strace_files *t, const struct iotrace_socket *s)
{
	bool near = is_ephemeral_port(t->ephemeral, s->local_port);
	bool far = is_ephemeral_port(t->ephemeral, s->remote_port);

	if (!s->remote_port)
		return SOCKET_UNCONNECTED;
	if (far && (!near || is_servers_port(&t->ports, s->local_port, s->remote_port)))
		return SOCKET_SERVER;
	return SOCKET_CLIENT;
}

static bool read_inet(struct strace_files *t, struct meaning *m, const char *text)
{
	static const struct {
		const char *prefix;
		uint16_t family, type;
	} protocols[] = {
		{ "TCP:[", AF_INET, SOCK_STREAM },
		{ "TCPv6:[", AF_INET6, SOCK_STREAM },
		{ "UDP:[", AF_INET, SOCK_DGRAM },
		{ "UDPv6:[", AF_INET6, SOCK_DGRAM },
	};
	struct iotrace_socket *s = &m->socket;

	for (size_t i = 0; i < ARRAY_SIZE(protocols); i++) {
		size_t len = strlen(protocols[i].prefix);

		if (strncmp(text, protocols[i].prefix, len) != 0)
			continue;
		s->family = protocols[i].family;
		s->type = protocols[i].type;
		if (!read_ends(s, text + len))
			break;
		s->role = role_of(t, s);
		set(&m->key, "inet %u %u %u %u", s->family, s->type, s->role,
		    common_port(s, t->ephemeral));
		m->path = socket_name(s, 0);
		return true;
	}
	memset(s, 0, sizeof(*s));
	return false;
}

/* Reads UNIX-STREAM:[4711->4712,"/run/socket"] or UNIX-DGRAM:[4711,@"abstract"]. */
static void read_unix(struct meaning *m, const char *text)
{
	const char *name = strchr(text, ','), *end;
	bool abstract = name && name[1] == '@';
	uint64_t number = strtoull(strchr(text, '[') + 1, NULL, 10);

	name = name ? name + 1 + abstract : NULL;
	end = name && *name == '"' ? strrchr(name + 1, '"') : NULL;
	if (end) {
		m->path = unix_name("unix", name + 1, (size_t)(end - name - 1), abstract);
		set(&m->key, "%s", m->path ?: "");
		m->shared = false;
		return;
	}
	set(&m->key, "unix");
	m->path = numbered_name("unix", number, false);
	m->several = numbered_name("unix", number, true);
}

/* Anything else in capitals is a protocol: NETLINK:[ROUTE:4711]. */
static bool is_socket(const char *text)
{
	size_t len = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_v");

	return !strncmp(text, "socket:[", 8) || (len && !strncmp(text + len, ":[", 2));
}

static void read_socket(struct strace_files *t, struct meaning *m, const char *text)
{
	int len = (int)strcspn(text, ":");

	m->kind = FILE_KIND_SOCKET;
	if (read_inet(t, m, text))
		return;
	m->shared = true;
	if (!strncmp(text, "UNIX", 4)) {
		read_unix(m, text);
		return;
	}
	set(&m->key, "socket %.*s", len, text);
	set(&m->path, "%s", text);
	set(&m->several, "%.*s:[*]", len, text);
}

/* ---- other files ---- */

/* The kind of "/dev/null<char 1:3>" or of a path alone; *len is the path's length. */
static enum file_kind read_device(const char *text, size_t *len)
{
	const char *mark = strrchr(text, '<');
	enum file_kind kind = FILE_KIND_REGULAR;
	unsigned major, minor;

	if (mark && sscanf(mark, "<char %u:%u>", &major, &minor) == 2)
		kind = file_kind_of_device(major);
	else if (mark && sscanf(mark, "<block %u:%u>", &major, &minor) == 2)
		kind = FILE_KIND_BLOCK;
	*len = kind == FILE_KIND_REGULAR ? strlen(text) : (size_t)(mark - text);
	return kind;
}

static void read_path(struct meaning *m, const char *text, bool deleted)
{
	size_t len;

	if (deleted && !strncmp(text, "/memfd:", 7)) {
		m->kind = FILE_KIND_MEMFD;
		m->shared = true;
		set(&m->key, "memfd");
		set(&m->path, "%s", text + 1);
		set(&m->several, "memfd:*");
		return;
	}
	m->kind = read_device(text, &len);
	if (m->kind == FILE_KIND_REGULAR && deleted)
		m->kind = FILE_KIND_DELETED;
	m->key = strndup(text, len);
	m->path = strndup(text, len);
}

static void read_anonymous(struct meaning *m, const char *text)
{
	m->shared = true;
	if (!strncmp(text, "pipe:[", 6)) {
		m->kind = FILE_KIND_PIPE;
		set(&m->key, "pipe");
		set(&m->several, "pipe:[*]");
	} else {
		m->kind = strstr(text, "[eventfd") ? FILE_KIND_EVENTFD : FILE_KIND_ANON;
		set(&m->key, "anon %.*s", (int)strcspn(text, "0123456789"), text);
		set(&m->several, "%.*s*", (int)strcspn(text, "0123456789"), text);
	}
	set(&m->path, "%s", text);
}

static void free_meaning(struct meaning *m)
{
	free(m->key);
	free(m->path);
	free(m->several);
}

/* ---- rows ---- */

/* The entry of a key, made if there is room for it. NULL: there is none (*full), or no memory. */
static struct file_entry *find_entry(struct strace_files *t, struct meaning *m, bool *full)
{
	struct file_entry wanted = { .key = m->key }, *entry,
			  **place = tfind(&wanted, &t->tree, compare_entries);

	if (place)
		return *place;
	*full = t->nr >= t->max;
	entry = *full ? NULL : calloc(1, sizeof(*entry));
	if (!entry)
		return NULL;
	entry->key = m->key;
	entry->id = FILE_ID_INVALID + 1 + (uint32_t)t->nr;
	if (!tsearch(entry, &t->tree, compare_entries)) {
		free(entry);
		return NULL;
	}
	m->key = NULL; /* It belongs to the entry now. */
	t->nr++;
	return entry;
}

static bool rename_file(struct file_stats *f, char **path)
{
	free(f->path);
	f->path = *path;
	*path = NULL;
	return f->path != NULL;
}

/*
 * Renames the row if not all of its files have the same name any more. Returns false without
 * memory.
 */
static bool note_another(struct file_stats *f, struct file_entry *entry, struct meaning *m)
{
	uint32_t marks = entry->marks;

	if (m->socket.family) {
		entry->marks |= compare_sockets(&entry->socket, &m->socket);
		if (entry->marks == marks)
			return true;
		free(m->several);
		m->several = socket_name(&entry->socket, entry->marks);
	} else if (marks & FILE_NAMES || !m->several || !strcmp(f->path, m->path)) {
		return true;
	}
	entry->marks |= FILE_NAMES;
	return rename_file(f, &m->several);
}

/* Notes that a file was deleted, or that there is another file of a deleted one's name. */
static void note_deleted(struct file_stats *f, struct file_entry *entry, enum file_kind kind)
{
	if (kind == FILE_KIND_DELETED && !entry->reborn)
		f->kind = kind;
	if (kind == FILE_KIND_REGULAR && f->kind == FILE_KIND_DELETED) {
		f->kind = kind;
		entry->reborn = true;
	}
}

static uint32_t find_row(struct strace_files *t, struct profile *p, struct meaning *m)
{
	struct file_stats *f;
	struct file_entry *entry;
	bool full = false;

	if (!m->key || !m->path)
		return 0;
	entry = find_entry(t, m, &full);
	if (!entry)
		return full ? FILE_ID_NO_ROOM : 0;
	f = profile_file(p, entry->id);
	if (!f)
		return 0;
	if (f->path) {
		note_deleted(f, entry, m->kind);
		return note_another(f, entry, m) ? entry->id : 0;
	}
	entry->socket = m->socket;
	f->kind = m->kind;
	f->err = m->err;
	return rename_file(f, &m->path) ? entry->id : 0;
}

/* The row, unless it stands for many files. NULL: there is none. */
static struct file_stats *own_row(struct profile *p, uint32_t id)
{
	return id > FILE_ID_INVALID && id != FILE_ID_NO_ROOM ? profile_file(p, id) : NULL;
}

bool strace_files__wants(const struct strace_path_filter *only, const char *text)
{
	size_t len;

	read_device(text, &len);
	return *text == '/' && strace_path_filter__have(only, text, len);
}

uint32_t strace_files__descriptor(struct strace_files *t, struct profile *p, const char *text,
				  const struct strace_said *said, const char *comm, bool reads)
{
	struct meaning m = { .kind = FILE_KIND_REGULAR };
	struct file_stats *f;
	uint32_t id;
	char *key;

	if (*text == '/')
		read_path(&m, text, said->deleted);
	else if (is_socket(text))
		read_socket(t, &m, text);
	else
		read_anonymous(&m, text);
	/*
	 * Standard error has a row of its own among those that are shared, as it has with eBPF. So
	 * has each direction of pipes, except that nothing tells the end of a pipe but its reads.
	 */
	if (m.shared && m.key) {
		set(&key, "%s%s%s of %s", m.key, said->fd == 2 ? " stderr" : "",
		    reads && m.kind == FILE_KIND_PIPE ? " read" : "", comm);
		free(m.key);
		m.key = key;
	}
	id = find_row(t, p, &m);
	free_meaning(&m);
	f = own_row(p, id);
	if (f) {
		f->cut |= said->cut;
		f->flags |= said->flags & FILE_FLAGS;
	}
	return id;
}

/* Finds or makes the row of a path that a call was given. */
static uint32_t find_path(struct strace_files *t, struct profile *p, enum file_kind kind,
			  const char *path, int err)
{
	struct meaning m = { .kind = kind, .path = strdup(path), .err = err };
	uint32_t id;

	set(&m.key, "%d %d %s", kind, err, path);
	id = find_row(t, p, &m);
	free_meaning(&m);
	return id;
}

uint32_t strace_files__failed(struct strace_files *t, struct profile *p, const char *text, bool cut,
			      int err)
{
	uint32_t id = find_path(t, p, FILE_KIND_FAILED, text, err);
	struct file_stats *f = own_row(p, id);

	if (f)
		f->cut |= cut;
	return id;
}

/* The FNV-1a hash. */
static uint64_t hash_text(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325ULL;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3ULL;
	return hash;
}

uint32_t strace_files__found(struct strace_files *t, struct profile *p, const char *text)
{
	bool again = looked_at_again(t->looks, hash_text(text));

	if (!again || *text != '/')
		return FILE_ID_OTHER;
	return find_path(t, p, FILE_KIND_FOUND, text, 0);
}

uint32_t strace_files__invalid(struct profile *p)
{
	struct file_stats *f = profile_file(p, FILE_ID_INVALID);

	return f && !file_row_be_invalid(f) ? FILE_ID_INVALID : 0;
}
