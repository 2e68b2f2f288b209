// SPDX-License-Identifier: MIT
/* How the counters count on this kernel. */
#include "measure.h"
#include "engine/engine.h"
#include <stdio.h>
#include <stdlib.h>

void measure(struct measured *m)
{
	struct engine *e = calloc(1, sizeof(*e));

	*m = (struct measured) { .known = false };
	if (!e) {
		snprintf(m->why, sizeof(m->why), "out of memory");
		return;
	}
	m->known = engine_open(e, NULL, 0, m->why, sizeof(m->why)) == 0;
	m->models = e->models;
	/* A process of somebody else's may have run on any CPU, not only on those that are ours. */
	if (m->models.cpus < e->host.cpus)
		m->models.cpus = e->host.cpus;
	if (m->known)
		m->why[0] = '\0';
	engine_close(e);
	free(e);
}
