; Definitions, preamble and comments of Kotlin. An extension belongs to the type it extends; a companion object is part
; of its class. A property is a function where it is bound to a function or has code of its own.
(class_declaration (type_identifier) @name) @definition.type
(object_declaration (type_identifier) @name) @definition.type
(type_alias (type_identifier) @name) @definition.type
(function_declaration (simple_identifier) @name) @definition.function
(function_declaration
  receiver: (receiver_type [(user_type (type_identifier) @container .)
                            (user_type (type_identifier) @container . (type_arguments))
                            (nullable_type (user_type (type_identifier) @container .))
                            (nullable_type (user_type (type_identifier) @container . (type_arguments)))])
  (simple_identifier) @name) @definition.function
(secondary_constructor "constructor" @name) @definition.function
(property_declaration (variable_declaration . (simple_identifier) @name)
  [(lambda_literal) (anonymous_function) (getter) (setter)]) @definition.function
(class_body (property_declaration (variable_declaration . (simple_identifier) @name)) @definition.function . [(getter) (setter)])
(source_file (property_declaration (variable_declaration . (simple_identifier) @name)) @definition.function . [(getter) (setter)])
(property_declaration
  receiver: (receiver_type [(user_type (type_identifier) @container .)
                            (user_type (type_identifier) @container . (type_arguments))])
  (variable_declaration . (simple_identifier) @name)) @definition.function
(source_file (property_declaration (variable_declaration . (simple_identifier) @name)) @definition.value)
(source_file (property_declaration (multi_variable_declaration
  (variable_declaration . (simple_identifier) @name))) @definition.value)
(class_body (getter) @tail)
(class_body (setter) @tail)
(source_file (getter) @tail)
(source_file (setter) @tail)
(lambda_literal) @local
(anonymous_function) @local
(anonymous_initializer) @local
(object_literal) @local
(enum_entry (class_body) @local)
(source_file (package_header) @preamble)
(source_file (import_list (import_header (identifier) @preamble)))
(line_comment) @comment
(multiline_comment) @comment
