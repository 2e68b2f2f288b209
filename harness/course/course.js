// SPDX-License-Identifier: MIT
/* Hides the numbers to predict, shows the numbers of the chosen kernel, and keeps the score. */
"use strict";
(function () {
	const all = (selector, within) => Array.from((within || document).querySelectorAll(selector));
	const data = JSON.parse(document.getElementById("data").textContent);
	const slider = document.getElementById("kernel");

	if (!slider)
		return;
	document.documentElement.classList.add("js");

	const chosen = (field) => field.querySelector("input:checked");
	const right = (lesson, i) => lesson.querySelectorAll(".solutions li")[i].querySelector("b");

	/*
	 * Marks the reader's predictions of a lesson that was run. Returns for each question [1 if
	 * it was predicted, 1 if the prediction is right].
	 */
	const mark = (lesson) => all("fieldset", lesson).map((field, i) => {
		const is = right(lesson, i), known = is.dataset.a;
		const pick = known && chosen(field), holds = pick && pick.value === known;

		field.className = pick ? (holds ? "right" : "wrong") : "";
		field.querySelector("output").textContent =
			(pick ? (holds ? "Right: " : "No: ") : "") + is.textContent;
		return [pick ? 1 : 0, holds ? 1 : 0];
	});
	const score = () => {
		const marks = all(".lesson.run").flatMap(mark);
		const sum = (n) => marks.reduce((a, m) => a + m[n], 0);

		document.getElementById("score").textContent = sum(0) ? sum(1) + " of " + sum(0) + " right" : "";
	};

	all("form.asks").forEach((form) => form.addEventListener("submit", (event) => {
		const lesson = form.closest(".lesson");

		event.preventDefault();
		lesson.classList.add("run");
		score();
	}));
	slider.addEventListener("input", () => {
		const k = Number(slider.value);

		all("[data-s]").forEach((e) => {
			e.innerHTML = data.strings[data.slots[e.dataset.s][k]];
		});
		slider.setAttribute("aria-valuetext", document.getElementById("kernel-name").textContent);
		score();
	});
	slider.form.addEventListener("submit", (event) => event.preventDefault());
	slider.value = slider.defaultValue;
	slider.setAttribute("aria-valuetext", document.getElementById("kernel-name").textContent);
})();
