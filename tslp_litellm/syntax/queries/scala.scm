; Definitions, preamble and comments of Scala. Packages and package objects are no part of a name.
(class_definition name: (_) @name) @definition.type
(object_definition name: (_) @name) @definition.type
(trait_definition name: (_) @name) @definition.type
(enum_definition name: (_) @name) @definition.type
(type_definition name: (_) @name) @definition.type
(given_definition name: (_) @name) @definition.type
(function_definition name: (_) @name) @definition.function
(function_declaration name: (_) @name) @definition.function
(extension_definition parameters: (parameters (parameter type: [
  (type_identifier) @name (generic_type type: (type_identifier) @name)]))) @extension
(val_definition pattern: (identifier) @name value: (lambda_expression)) @definition.function
(compilation_unit (val_definition pattern: (identifier) @name) @definition.value)
(compilation_unit (var_definition pattern: (identifier) @name) @definition.value)
(package_object body: (template_body (val_definition pattern: (identifier) @name) @definition.value))
(lambda_expression) @local
(block) @local
(instance_expression (template_body) @local)
(compilation_unit (package_clause) @preamble)
(compilation_unit (import_declaration) @preamble)
(annotation) @attribute
(comment) @comment
(block_comment) @comment
