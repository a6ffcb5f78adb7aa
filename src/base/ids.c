// SPDX-License-Identifier: GPL-2.0
#include "base/ids.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

int ids_add(struct ids *ids, pid_t id)
{
	pid_t *place = array_append(&ids->id, &ids->nr, sizeof(*place));

	if (!place)
		return -ENOMEM;
	*place = id;
	return 0;
}

bool ids_have(const struct ids *ids, pid_t id)
{
	for (size_t i = 0; i < ids->nr; i++)
		if (ids->id[i] == id)
			return true;
	return false;
}

void ids_free(struct ids *ids)
{
	free(ids->id);
	*ids = (struct ids){ 0 };
}
