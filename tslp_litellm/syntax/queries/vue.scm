; The parts of a component of Vue or Svelte. Its symbols are those of its scripts.
(document (script_element (start_tag) @tag (raw_text) @script))
(document (style_element (raw_text) @style))
(comment) @comment
