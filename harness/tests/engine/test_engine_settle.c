// SPDX-License-Identifier: MIT
/* Settling on made-up machines: its cost, and the remaining lag. */
#include "agent/runtime/settle_large.h"
#include "engine/workload/settle_plan.h"
#include "tests/support/test.h"

enum { TABLE = 512, TABLES_MAX = 256 };

/* One CPU's part of a counter as in lib/percpu_counter.c, and the pages that it counts. */
struct made_cpu {
	int64_t batch, count, held;
	int64_t loose, of[TABLES_MAX], ops;
};

static void add(struct made_cpu *c, int64_t amount)
{
	c->held += amount;
	if (llabs(c->held) < c->batch)
		return;
	c->count += c->held;
	c->held = 0;
}

static void map_page(void *arg)
{
	struct made_cpu *c = arg;

	c->loose++;
	c->ops++;
	add(c, 1);
}

static void map_table(void *arg)
{
	struct made_cpu *c = arg;
	int i = 0;

	while (c->of[i])
		assert_true(++i < TABLES_MAX);
	for (; c->of[i] < TABLE; c->of[i]++)
		add(c, 1);
	c->ops += TABLE;
}

static void drop_pages(void *arg, int64_t n)
{
	struct made_cpu *c = arg;

	for (; n && c->loose; n--, c->loose--)
		add(c, -1);
	while (n) {
		int least = -1;

		for (int i = 0; i < TABLES_MAX; i++)
			if (c->of[i] && (least < 0 || c->of[i] < c->of[least]))
				least = i;
		assert_true(least >= 0);
		int64_t some = n < c->of[least] ? n : c->of[least];

		add(c, -some);
		c->of[least] -= some;
		n -= some;
	}
}

static bool drop_table(void *arg)
{
	struct made_cpu *c = arg;

	for (int i = 0; i < TABLES_MAX; i++) {
		if (c->of[i] != TABLE)
			continue;
		add(c, -TABLE);
		c->of[i] = 0;
		return true;
	}
	return false;
}

static int64_t shown(void *arg)
{
	return ((struct made_cpu *)arg)->count;
}

static const struct settle_ops ops = { map_table, map_page, drop_pages, drop_table, shown };

static void assert_settles(unsigned cpus, int64_t held)
{
	int64_t batch = cpus > 16 ? 2 * cpus : 32;
	struct made_cpu c = { .batch = batch, .held = held };

	assert_true(settle_large(&ops, &c, batch, TABLE));
	assert_int_equal(c.held, 0);
	assert_int_equal(
		c.count,
		held); /* the held-back count has reached the counter, and nothing else has */
	assert_int_equal(c.loose, 0);
	for (int i = 0; i < TABLES_MAX; i++)
		assert_int_equal(c.of[i], 0);
	/* The cost is the number of pages that were mapped. */
	assert_true(c.ops <= (batch / TABLE + 6) * (batch + 3 * TABLE));
}

TEST(any_count_that_a_cpu_holds_back_is_flushed)
{
	static const unsigned machines[] = { 129, 160, 255, 256, 257, 384, 512, 1000, 1024, 4096 };

	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		int64_t batch = 2 * machines[i], stride = batch > 600 ? 37 : 1;

		for (int64_t held = 1 - batch; held < batch; held += stride)
			assert_settles(machines[i], held);
		assert_settles(machines[i], 0);
		assert_settles(machines[i], batch - 1);
	}
}

TEST(the_largest_machine_settles)
{
	static const int64_t held[] = { -16383, -8000, -512, -1, 0, 1, 511, 513, 9999, 16383 };

	for (size_t i = 0; i < sizeof(held) / sizeof(*held); i++)
		assert_settles(8192, held[i]);
}

TEST(settling_gives_up_on_a_counter_that_does_not_move)
{
	struct made_cpu c = { .batch = 1 << 20 };

	assert_false(settle_large(&ops, &c, 320, TABLE));
}

TEST(the_plan_follows_the_models)
{
	static const unsigned cpus[] = { 1, 2, 128, 160, 256, 1024, 8192 };

	for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
		unsigned batch = cpus[i] > 16 ? 2 * cpus[i] : 32;
		struct models m = { .cpus = cpus[i] };
		struct settle_plan p;

		for (int id = 0; id < METRIC_COUNT; id++)
			m.of[id].kind = MODEL_EXACT;
		p = settle_plan(&m);
		assert_false(settle_plan_acts(&p));
		m.of[METRIC_STAT_RSS] = (struct counter_model) { MODEL_PER_CPU, batch };
		p = settle_plan(&m);
		assert_int_equal(p.batch, batch);
		assert_int_equal(p.faults, 0);
		p = settle_plan_any(&m, cpus[i]);
		assert_int_equal(p.batch, batch);
	}
}

TEST(the_plan_flushes_the_faults_of_a_thread)
{
	struct models m = { .cpus = 2 };
	struct settle_plan p;

	for (int id = 0; id < METRIC_COUNT; id++)
		m.of[id].kind = MODEL_ABSENT;
	m.of[METRIC_STATUS_RSSFILE] = (struct counter_model) { MODEL_PER_THREAD, 66 };
	p = settle_plan(&m);
	assert_int_equal(p.batch, 0);
	assert_true(p.faults > 66);
}

TEST(an_unknown_counter_is_settled_like_every_known_model)
{
	struct models m = { .cpus = 64 };
	struct settle_plan p;

	for (int id = 0; id < METRIC_COUNT; id++)
		m.of[id].kind = MODEL_EXACT;
	/* Peaks and other derived numbers are not settled. */
	m.of[METRIC_STATUS_VMHWM].kind = MODEL_UNKNOWN;
	assert_false(settle_plan_is_a_guess(&m));
	p = settle_plan(&m);
	assert_false(settle_plan_acts(&p));
	m.of[METRIC_STATM_SHARED].kind = MODEL_UNKNOWN;
	assert_true(settle_plan_is_a_guess(&m));
	p = settle_plan(&m);
	assert_int_equal(p.batch, 128);
	assert_true(p.faults > 66);
}
