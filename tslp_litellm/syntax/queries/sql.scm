; Definitions and comments of SQL. Schemas are namespaces, and so no part of a name; nor are quotes.
(create_table (keyword_table) . (keyword_if)? . (keyword_not)? . (keyword_exists)? .
  (object_reference name: (identifier) @name.last)) @definition.type
(create_view (keyword_view) . (keyword_if)? . (keyword_not)? . (keyword_exists)? .
  (object_reference name: (identifier) @name.last)) @definition.type
(create_materialized_view (keyword_view) . (keyword_if)? . (keyword_not)? . (keyword_exists)? .
  (object_reference name: (identifier) @name.last)) @definition.type
(create_type (keyword_type) . (object_reference name: (identifier) @name.last)) @definition.type
(create_function (keyword_function) . (object_reference name: (identifier) @name.last)) @definition.function
(create_trigger (keyword_trigger) . (object_reference name: (identifier) @name.last)) @definition.function
(create_index column: (identifier) @name.last) @definition.value
(create_sequence (keyword_sequence) . (keyword_if)? . (keyword_not)? . (keyword_exists)? .
  (object_reference name: (identifier) @name.last)) @definition.value
(comment) @comment
(marginalia) @comment
