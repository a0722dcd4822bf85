; Definitions, preamble and comments of Java.
(class_declaration name: (_) @name) @definition.type
(interface_declaration name: (_) @name) @definition.type
(enum_declaration name: (_) @name) @definition.type
(record_declaration name: (_) @name) @definition.type
(annotation_type_declaration name: (_) @name) @definition.type
(method_declaration name: (_) @name) @definition.function
(constructor_declaration name: (_) @name) @definition.function
(compact_constructor_declaration name: (_) @name) @definition.function
(annotation_type_element_declaration name: (_) @name) @definition.function
(object_creation_expression (class_body) @local)
(enum_constant body: (class_body) @local)
(lambda_expression) @local
(program (package_declaration) @preamble)
(program (import_declaration) @preamble)
(line_comment) @comment
(block_comment) @comment
