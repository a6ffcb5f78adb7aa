/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The debuginfod servers of DEBUGINFOD_URLS, which libdwfl asks for debug information by its
 * client. A server that does not answer must not keep a run's report.
 */
#pragma once

#include <elfutils/libdwfl.h>
#include <stdbool.h>

/* Are there servers, which have been asked with success so far, or not at all? */
bool servers_wanted(void);

/*
 * From now on the client of this Dwfl gives up a server that is silent for 10 s, or when a signal
 * waits for iotrace; after that, servers_wanted() says no. Tells so.
 */
void servers_limit(Dwfl *dwfl);
