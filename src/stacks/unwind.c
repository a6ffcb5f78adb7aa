// SPDX-License-Identifier: GPL-2.0
/*
 * libdwfl unwinds in the layout of the objects. Whatever it reads of the stack that is an address
 * of code is moved there first; all else stays as it is.
 */
#include "stacks/unwind.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "stacks/go_lines.h"

struct unwinder {
	struct objects *objects;
	bool attached[NR_MACHINES];
	/* Of the walk that is under way. */
	const struct space *space;
	const struct snapshot *snapshot;
	struct chain *chain;
	size_t first; /* Index of the frame that libdwfl begins with. */
	bool missed;  /* Something of the stack that it needs is not in the snapshot. */
};

struct unwinder *unwinder__new(struct objects *objects)
{
	struct unwinder *u = calloc(1, sizeof(*u));

	if (u)
		u->objects = objects;
	return u;
}

void unwinder__free(struct unwinder *u)
{
	free(u);
}

/* No process has anything below this (vm.mmap_min_addr). */
#define LOWEST_ADDRESS 4096

static bool is_32_bit(enum machine machine)
{
	return machine != MACHINE_X86_64;
}

static uint64_t program_counter(const struct snapshot *s)
{
	return s->registers[s->machine == MACHINE_X86_32 ? REGISTER_PC_32 : REGISTER_PC_64];
}

/* Moves an address of code to the layout. */
static uint64_t moved(const struct unwinder *u, uint64_t value)
{
	uint64_t address = space_address(u->space, u->objects, value);

	return address ? address : value;
}

/* ---- what libdwfl asks for ---- */

/* There is one thread, whose id says nothing. */
#define ONLY_THREAD 1

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread_arg)
{
	(void)dwfl;
	if (*thread_arg)
		return 0;
	*thread_arg = arg;
	return ONLY_THREAD;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *arg, void **thread_arg)
{
	(void)dwfl;
	(void)tid;
	*thread_arg = arg;
	return true;
}

static bool read_word(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *arg)
{
	struct unwinder *u = arg;
	const struct snapshot *s = u->snapshot;
	size_t size = is_32_bit(s->machine) ? 4 : 8;
	uint64_t word = 0;

	(void)dwfl;
	if (address < s->start || s->size < size || address - s->start > s->size - size) {
		/* The first frame pointer is 0, which is the end of the stack. */
		u->missed = u->missed || address >= LOWEST_ADDRESS;
		return false;
	}
	memcpy(&word, s->stack + (address - s->start), size);
	*result = moved(u, word);
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	const struct unwinder *u = arg;
	bool i386 = u->snapshot->machine == MACHINE_X86_32;
	unsigned nr = i386 ? REGISTER_PC_32 : REGISTER_PC_64;
	Dwarf_Word values[NR_REGISTERS];
	Dwarf_Word pc = moved(u, program_counter(u->snapshot));

	/* glibc's vfork() keeps the address of its caller in a register. */
	for (size_t i = 0; i < NR_REGISTERS; i++)
		values[i] = moved(u, u->snapshot->registers[i]);
	values[nr] = pc;
	/* Of i386, elfutils has the program counter as a register like others. */
	if (!dwfl_thread_state_registers(thread, 0, nr + 1, values))
		return false;
	dwfl_thread_state_register_pc(thread, pc);
	return true;
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = read_word,
	.set_initial_registers = set_registers,
};

/* Puts the object that has this address into the layout. */
static const struct object *load(const struct unwinder *u, uint64_t address)
{
	const struct object *o = objects__at(u->objects, u->snapshot->machine, address);

	if (o)
		objects__module(u->objects, (struct object *)o);
	return o;
}

/* Is this an address of code that is in no file? The first one is; a call may be the last there. */
static bool is_code(const struct unwinder *u, uint64_t pc)
{
	return u->chain->nr == u->first || space_mapping(u->space, pc) ||
	       space_mapping(u->space, pc - 1);
}

static int add_frame(Dwfl_Frame *state, void *arg)
{
	struct unwinder *u = arg;
	struct chain *chain = u->chain;
	struct frame *frame;
	bool activation, in_file;
	Dwarf_Addr pc;

	if (!dwfl_frame_pc(state, &pc, NULL))
		return DWARF_CB_ABORT;
	in_file = load(u, pc) != NULL;
	/* To say whether a signal came, libdwfl unwinds the frame already, by its module. */
	if (!dwfl_frame_pc(state, &pc, &activation) || chain->nr == MAX_FRAMES)
		return DWARF_CB_ABORT;
	if (!in_file && !is_code(u, pc))
		return DWARF_CB_ABORT; /* A frame pointer that was none led there. */
	frame = &chain->frames[chain->nr++];
	/* A call, also a system call, leaves the address behind it; a signal its own. */
	frame->address = activation && chain->nr > u->first + 1 ? pc : pc - 1;
	frame->kind = in_file ? FRAME_OBJECT : FRAME_UNKNOWN;
	return DWARF_CB_OK;
}

/* Has libdwfl ask us, once for each layout. */
static bool attach(struct unwinder *u, Dwfl *dwfl, enum machine machine)
{
	if (!u->attached[machine])
		u->attached[machine] =
			dwfl_attach_state(dwfl, NULL, ONLY_THREAD, &thread_callbacks, u);
	return u->attached[machine];
}

/*
 * 32-bit programs call by a function of the vDSO, which has pushed three registers when the kernel
 * is entered, whatever by (arch/x86/entry/vdso/vdso32/system_call.S). Goes on to its caller.
 */
static void leave_vdso(const struct space *space, struct snapshot *s)
{
	const struct mapping *m = space_mapping(space, program_counter(s));
	uint64_t at = s->registers[REGISTER_SP_32] - s->start;
	uint32_t words[4];

	if (s->machine != MACHINE_X86_32 || !m || !m->object ||
	    strcmp(m->object->path, VDSO_LOW) != 0 || at > s->size || s->size - at < sizeof(words))
		return;
	memcpy(words, s->stack + at, sizeof(words));
	s->registers[REGISTER_BP_32] = words[0];
	s->registers[REGISTER_DX_32] = words[1];
	s->registers[REGISTER_CX_32] = words[2];
	s->registers[REGISTER_PC_32] = words[3];
	s->registers[REGISTER_SP_32] += sizeof(words);
}

/* What call frame information of an object says of an address. */
enum frame_info {
	NO_FRAME_INFO,	   /* There is none of the whole object. */
	FRAME_IS_LEFT_OUT, /* There is none of the address. */
	FRAME_IS_KNOWN,
};

static enum frame_info frame_info(const struct object *o, uint64_t address)
{
	Dwarf_Addr bias;
	Dwarf_CFI *cfi = o && o->module ? dwfl_module_eh_cfi(o->module, &bias) : NULL;
	Dwarf_Frame *frame;

	if (!cfi)
		return NO_FRAME_INFO;
	if (dwarf_cfi_addrframe(cfi, address - bias, &frame))
		return FRAME_IS_LEFT_OUT;
	free(frame);
	return FRAME_IS_KNOWN;
}

/* Goes on from a function to its caller, whose address is in the stack. */
static void leave_to(struct unwinder *u, struct snapshot *s, uint64_t caller, uint64_t sp)
{
	uint64_t pc = moved(u, program_counter(s));

	u->chain->frames[u->chain->nr++] = (struct frame){ FRAME_OBJECT, pc - 1 };
	u->first = u->chain->nr;
	s->registers[REGISTER_PC_64] = caller;
	s->registers[REGISTER_SP_64] = sp;
}

static bool read_snapshot(const struct snapshot *s, uint64_t address, uint64_t *word)
{
	uint64_t at = address - s->start;

	if (at > s->size || s->size - at < sizeof(*word))
		return false;
	memcpy(word, s->stack + at, sizeof(*word));
	return true;
}

/*
 * Functions of Go's assembler may have no frame, so that the frame pointer is their caller's. But
 * Go knows how large the frames of all its functions are; if there is one, the caller's frame
 * pointer is at its end.
 */
static bool leave_go(struct unwinder *u, struct snapshot *s)
{
	struct object *o = (struct object *)load(u, moved(u, program_counter(s)));
	const struct go_lines *go = o ? object_go(o) : NULL;
	uint64_t sp = s->registers[REGISTER_SP_64], size, caller, frame;

	if (!go || u->chain->nr == MAX_FRAMES - 1 ||
	    !go_lines__frame_size(go, moved(u, program_counter(s)) - 1 - o->base, &size) ||
	    !read_snapshot(s, sp + size, &caller) || !load(u, moved(u, caller)))
		return false;
	if (size >= sizeof(frame) && read_snapshot(s, sp + size - sizeof(frame), &frame) &&
	    frame > sp)
		s->registers[REGISTER_BP_64] = frame;
	leave_to(u, s, caller, sp + size + sizeof(caller));
	return true;
}

/*
 * glibc's clone() and clone3() end their call frame information before the call, because it is
 * wrong in the child. They have nothing on the stack but the address of their caller: goes on to
 * it.
 */
static void leave_stub(struct unwinder *u, struct snapshot *s)
{
	uint64_t pc = moved(u, program_counter(s)), sp = s->registers[REGISTER_SP_64], caller;
	const struct object *o = load(u, pc);
	enum frame_info info;

	if (s->machine != MACHINE_X86_64)
		return;
	info = frame_info(o, pc);
	if (info == FRAME_IS_KNOWN)
		return;
	if (leave_go(u, s)) {
		while (leave_go(u, s))
			;
		return;
	}
	if (info == FRAME_IS_LEFT_OUT && read_snapshot(s, sp, &caller) && load(u, moved(u, caller)))
		leave_to(u, s, caller, sp + sizeof(caller));
}

void unwinder__walk(struct unwinder *u, const struct space *space, const struct snapshot *taken,
		    struct chain *chain)
{
	struct snapshot from = *taken, *snapshot = &from;
	uint64_t pc;
	Dwfl *dwfl;

	memset(chain, 0, sizeof(*chain));
	leave_vdso(space, snapshot);
	pc = program_counter(snapshot);
	u->space = space;
	u->snapshot = snapshot;
	u->chain = chain;
	u->missed = false;
	u->first = 0;
	load(u, moved(u, pc));
	dwfl = objects__dwfl(u->objects, snapshot->machine);
	if (!dwfl || !attach(u, dwfl, snapshot->machine)) {
		chain->frames[0] = (struct frame){ FRAME_UNKNOWN, pc - 1 };
		chain->nr = 1;
		chain->cut = true;
		return;
	}
	leave_stub(u, snapshot);
	/* 0: the end of the stack, which libdwfl takes a word that it cannot read for, too. */
	chain->cut = dwfl_getthread_frames(dwfl, ONLY_THREAD, add_frame, u) != 0 || u->missed;
}
