// The slider over the workspace's time: an entity as it was after each event of the Ledger.

function timeSlider(view, route) {
  const last = view.head;
  if (!last) return null; // a gateway of an older release does not say
  const then = view.as_of || null;
  const place = then ? then.seq : last;
  const words = h("output", { for: "at", class: "quiet" }, then ? ["after event ", then.seq.toLocaleString(), then.at ? [", ", when(then.at)] : null] : "now");
  const slide = h("input", { id: "at", type: "range", min: 0, max: last, step: 1, "data-key": "at", "aria-valuetext": then ? `after event ${then.seq}` : "now",
    oninput: () => (words.textContent = Number(slide.value) === last ? "now" : `after event ${Number(slide.value).toLocaleString()}`),
    onchange: () => location.replace(address({ entity: route.entity, at: Number(slide.value) === last ? null : slide.value })) });
  slide.value = String(place); // once its bounds are set
  return h("p", { class: "facts time" }, h("label", { for: "at" }, "As of"), slide, words,
    then && then.episode_id ? h("a", { href: address({ view: "episodes", entity: null, episode: then.episode_id }), "data-key": "at episode" }, "episode") : null,
    then ? h("a", { href: address({ entity: route.entity, at: null }), "data-key": "at now" }, "Back to now") : null);
}
