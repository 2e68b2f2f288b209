// SPDX-License-Identifier: MIT
/* Chromium over a pipe: JSON messages, each ended by a NUL. */
#include "browser.h"
#include "tests/support/test.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

/* A busy machine is slow, but a browser that hangs must still be noticed. */
enum { PATIENCE_MS = 60000 };

static const char *browser_name(void)
{
	static const char *const names[] = { "chromium", "chromium-browser", "google-chrome" };
	const char *own = getenv("CHROMIUM");
	char command[64];

	if (own)
		return own;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(command, sizeof(command), "command -v %s >/dev/null", names[i]);
		if (!system(command))
			return names[i];
	}
	return NULL;
}

bool browser_is_there(void)
{
	return browser_name() != NULL;
}

/* Runs in the child: Chromium reads from descriptor 3 and writes to 4. */
static _Noreturn void start(const char *name, const char *folder, int in, int out)
{
	char profile[4200];
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	snprintf(profile, sizeof(profile), "--user-data-dir=%s/profile", folder);
	in = fcntl(in, F_DUPFD_CLOEXEC, 10);
	out = fcntl(out, F_DUPFD_CLOEXEC, 10);
	dup2(null, 0);
	dup2(null, 1);
	dup2(null, 2);
	dup2(in, 3);
	dup2(out, 4);
	setpgid(0, 0);
	execlp(name, name, "--headless=new", "--no-sandbox", "--disable-gpu",
	       "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
	       "--remote-debugging-pipe", profile, "about:blank", (char *)NULL);
	_exit(127);
}

static void send_message(struct browser *b, json_t *message)
{
	char *text = json_dumps(message, JSON_COMPACT);
	size_t left = strlen(text) + 1;

	for (const char *p = text; left;) {
		ssize_t n = write(b->to, p, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			fail_msg("a write to the browser failed: %s", strerror(errno));
		p += n;
		left -= (size_t)n;
	}
	free(text);
	json_decref(message);
}

static void read_more(struct browser *b)
{
	struct pollfd p = { .fd = b->from, .events = POLLIN };
	char buf[1 << 16];

	if (poll(&p, 1, PATIENCE_MS) <= 0)
		fail_msg("the browser sent nothing for %d s", PATIENCE_MS / 1000);

	ssize_t n = read(b->from, buf, sizeof(buf));

	if (n <= 0)
		fail_msg("the browser has ended");
	b->unread = realloc(b->unread, b->nr_unread + (size_t)n);
	assert_non_null(b->unread);
	memcpy(b->unread + b->nr_unread, buf, (size_t)n);
	b->nr_unread += (size_t)n;
}

static json_t *next_message(struct browser *b)
{
	char *end;

	while (!b->nr_unread || !(end = memchr(b->unread, '\0', b->nr_unread)))
		read_more(b);

	size_t len = (size_t)(end - b->unread) + 1;
	json_t *message = json_loads(b->unread, 0, NULL);

	b->nr_unread -= len;
	memmove(b->unread, b->unread + len, b->nr_unread);
	assert_non_null(message);
	return message;
}

static const char *word(const json_t *object, const char *name)
{
	const char *s = json_string_value(json_object_get(object, name));

	return s ? s : "";
}

static void complain(struct browser *b, const json_t *params)
{
	char *text = json_dumps(params, JSON_COMPACT);

	if (!b->complaint[0])
		snprintf(b->complaint, sizeof(b->complaint), "%s", text);
	free(text);
}

static void note_event(struct browser *b, const json_t *message)
{
	const char *method = word(message, "method");
	const json_t *params = json_object_get(message, "params");

	if (!strcmp(method, "Runtime.exceptionThrown") || !strcmp(method, "Log.entryAdded") ||
	    !strcmp(method, "Runtime.consoleAPICalled") ||
	    !strcmp(method, "Page.javascriptDialogOpening"))
		complain(b, params);
	if (!strcmp(method, "Network.requestWillBeSent")) {
		const char *url = word(json_object_get(params, "request"), "url");

		b->requests += strncmp(url, "data:", 5) && strcmp(word(params, "type"), "Document");
	}
}

/* Waits for an answer (by its id) or an event (by its name); notes all events before it. */
static json_t *wait_for(struct browser *b, json_int_t id, const char *event)
{
	for (;;) {
		json_t *message = next_message(b);

		note_event(b, message);
		if (id && json_integer_value(json_object_get(message, "id")) == id)
			return message;
		if (event && !strcmp(word(message, "method"), event))
			return message;
		json_decref(message);
	}
}

/* Takes ownership of params. Returns the result of the answer, which the caller frees. */
static json_t *call(struct browser *b, const char *method, json_t *params)
{
	json_t *message = json_pack("{s:I, s:s, s:o}", "id", ++b->last_id, "method", method,
				    "params", params ? params : json_object());

	if (b->session[0])
		json_object_set_new(message, "sessionId", json_string(b->session));
	send_message(b, message);

	json_t *answer = wait_for(b, b->last_id, NULL);
	json_t *result = json_incref(json_object_get(answer, "result"));

	if (!result)
		fail_msg("%s: %s", method, json_dumps(answer, JSON_COMPACT));
	json_decref(answer);
	return result;
}

static void attach(struct browser *b)
{
	json_t *target = call(b, "Target.createTarget", json_pack("{s:s}", "url", "about:blank"));
	json_t *session = call(
		b, "Target.attachToTarget",
		json_pack("{s:s, s:b}", "targetId", word(target, "targetId"), "flatten", 1));

	snprintf(b->session, sizeof(b->session), "%s", word(session, "sessionId"));
	json_decref(target);
	json_decref(session);
	json_decref(call(b, "Page.enable", NULL));
	json_decref(call(b, "Runtime.enable", NULL));
	json_decref(call(b, "Log.enable", NULL));
	json_decref(call(b, "Network.enable", NULL));
}

void browser_open(struct browser *b)
{
	const char *name = browser_name(), *tmp = getenv("TMPDIR");
	int there[2], back[2];

	*b = (struct browser) { 0 };
	snprintf(b->folder, sizeof(b->folder), "%s/rssck-browser.XXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(b->folder));
	assert_int_equal(pipe2(there, O_CLOEXEC), 0);
	assert_int_equal(pipe2(back, O_CLOEXEC), 0);
	signal(SIGPIPE, SIG_IGN);
	b->pid = fork();
	if (b->pid == 0)
		start(name, b->folder, there[0], back[1]);
	close(there[0]);
	close(back[1]);
	b->to = there[1];
	b->from = back[0];
	attach(b);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

void browser_close(struct browser *b)
{
	if (b->pid <= 0)
		return;
	close(b->to);
	close(b->from);
	kill(-b->pid, SIGKILL);
	waitpid(b->pid, NULL, 0);
	/* Helper processes of the browser may still write for a moment. */
	for (int i = 0; i < 50 && nftw(b->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS); i++)
		usleep(20000);
	free(b->unread);
	*b = (struct browser) { 0 };
}

static void set_window(struct browser *b, unsigned width, unsigned height)
{
	json_decref(call(b, "Emulation.setDeviceMetricsOverride",
			 json_pack("{s:i, s:i, s:i, s:b}", "width", (int)width, "height",
				   (int)height, "deviceScaleFactor", 1, "mobile", width < 600)));
}

void browser_show(struct browser *b, const char *html, unsigned width, bool dark)
{
	char path[4200], url[4300];

	snprintf(path, sizeof(path), "%s/page.html", b->folder);
	snprintf(url, sizeof(url), "file://%s", path);

	FILE *out = fopen(path, "we");

	assert_non_null(out);
	fputs(html, out);
	assert_int_equal(fclose(out), 0);
	b->complaint[0] = '\0';
	b->requests = 0;
	set_window(b, width, width < 600 ? 740 : 900);
	json_decref(call(b, "Emulation.setEmulatedMedia",
			 json_pack("{s:[{s:s, s:s}]}", "features", "name", "prefers-color-scheme",
				   "value", dark ? "dark" : "light")));
	json_decref(call(b, "Page.navigate", json_pack("{s:s}", "url", "about:blank")));
	json_decref(wait_for(b, 0, "Page.loadEventFired"));
	json_decref(call(b, "Page.navigate", json_pack("{s:s}", "url", url)));
	json_decref(wait_for(b, 0, "Page.loadEventFired"));
}

json_t *browser_value(struct browser *b, const char *expression)
{
	json_t *result = call(b, "Runtime.evaluate",
			      json_pack("{s:s, s:b, s:b}", "expression", expression,
					"returnByValue", 1, "awaitPromise", 1));

	if (json_object_get(result, "exceptionDetails"))
		fail_msg("%s: %s", expression, json_dumps(result, JSON_COMPACT));

	json_t *value = json_incref(json_object_get(json_object_get(result, "result"), "value"));

	json_decref(result);
	return value;
}

double browser_number(struct browser *b, const char *expression)
{
	json_t *value = browser_value(b, expression);
	double number = json_number_value(value);

	assert_true(json_is_number(value));
	json_decref(value);
	return number;
}

bool browser_true(struct browser *b, const char *expression)
{
	json_t *value = browser_value(b, expression);
	bool truth = json_is_true(value);

	json_decref(value);
	return truth;
}

static void key_event(struct browser *b, const char *type, const char *key)
{
	static const struct {
		const char *key, *text;
		int code;
	} keys[] = { { "Tab", "", 9 },
		     { "Enter", "\r", 13 },
		     { " ", " ", 32 },
		     { "Escape", "", 27 },
		     { "ArrowDown", "", 40 } };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcmp(keys[i].key, key))
			json_decref(call(b, "Input.dispatchKeyEvent",
					 json_pack("{s:s, s:s, s:s, s:i}", "type", type, "key", key,
						   "text", keys[i].text, "windowsVirtualKeyCode",
						   keys[i].code)));
}

void browser_press(struct browser *b, const char *key)
{
	key_event(b, "keyDown", key);
	key_event(b, "keyUp", key);
}

void browser_type(struct browser *b, const char *text)
{
	json_decref(call(b, "Input.insertText", json_pack("{s:s}", "text", text)));
}

static unsigned base64_digit(char c)
{
	static const char
		digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (unsigned)(at - digits) : 0;
}

static void write_base64(const char *s, FILE *out)
{
	for (; s[0] && s[1] && s[2] && s[3]; s += 4) {
		unsigned bits = base64_digit(s[0]) << 18 | base64_digit(s[1]) << 12 |
				base64_digit(s[2]) << 6 | base64_digit(s[3]);

		putc((int)(bits >> 16 & 255), out);
		if (s[2] != '=')
			putc((int)(bits >> 8 & 255), out);
		if (s[3] != '=')
			putc((int)(bits & 255), out);
	}
}

void browser_picture(struct browser *b, const char *file, unsigned width, unsigned height,
		     const char *before)
{
	set_window(b, width, height);
	json_decref(browser_value(b, before));

	json_t *picture = call(b, "Page.captureScreenshot", json_pack("{s:s}", "format", "png"));
	FILE *out = fopen(file, "we");

	assert_non_null(out);
	write_base64(word(picture, "data"), out);
	assert_int_equal(fclose(out), 0);
	json_decref(picture);
	set_window(b, width, width < 600 ? 740 : 900);
}
