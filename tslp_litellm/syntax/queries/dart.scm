; Definitions, preamble and comments of Dart. A body stands beside its signature in the tree. The members of an
; extension belong to the type it extends.
(class_definition name: (identifier) @name) @definition.type
(mixin_declaration (mixin) . (identifier) @name) @definition.type
(enum_declaration name: (identifier) @name) @definition.type
(extension_declaration class: (_) @name.plain) @extension
(extension_type_declaration name: (identifier) @name) @definition.type
(type_alias . (type_identifier) @name) @definition.type
(program (function_signature name: (identifier) @name) @definition.function)
(program (getter_signature name: (identifier) @name) @definition.function)
(program (setter_signature name: (identifier) @name) @definition.function)
(method_signature (function_signature name: (identifier) @name)) @definition.function
(method_signature (getter_signature name: (identifier) @name)) @definition.function
(method_signature (setter_signature name: (identifier) @name)) @definition.function
(method_signature (operator_signature (binary_operator) @name.operator)) @definition.function
(method_signature (constructor_signature (identifier) @name .  (formal_parameter_list))) @definition.function
(method_signature (factory_constructor_signature (identifier) @name . (formal_parameter_list))) @definition.function
(declaration (function_signature name: (identifier) @name)) @definition.function
(declaration (getter_signature name: (identifier) @name)) @definition.function
(declaration (setter_signature name: (identifier) @name)) @definition.function
(declaration (constructor_signature (identifier) @name . (formal_parameter_list))) @definition.function
(declaration (constant_constructor_signature (identifier) @name . (formal_parameter_list))) @definition.function
(declaration (factory_constructor_signature (identifier) @name . (formal_parameter_list))) @definition.function
(declaration (redirecting_factory_constructor_signature (identifier) @name . (formal_parameter_list))) @definition.function
(program (initialized_identifier_list (initialized_identifier . (identifier) @name (function_expression)) @definition.function))
(program (initialized_identifier_list (initialized_identifier . (identifier) @name) @definition.value))
(program (static_final_declaration_list (static_final_declaration . (identifier) @name (function_expression)) @definition.function))
(program (static_final_declaration_list (static_final_declaration . (identifier) @name) @definition.value))
(function_body) @tail
(program "external" @head)
(program "late" @head)
(program [(const_builtin) (final_builtin) (type_identifier) (type_arguments) (inferred_type) (void_type) (annotation)] @head)
(class_body (annotation) @head)
(extension_body (annotation) @head)
(enum_body (annotation) @head)
(function_expression) @local
(program (library_name) @preamble)
(program (import_or_export) @preamble)
(program (part_directive) @preamble)
(program (part_of_directive) @preamble)
(annotation) @attribute
(comment) @comment
(documentation_comment) @comment
