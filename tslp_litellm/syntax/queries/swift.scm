; Definitions, preamble and comments of Swift. A property is a function where it is computed or bound to a closure.
(class_declaration name: (type_identifier) @name) @definition.type
(class_declaration "extension" name: (_) @name.plain) @extension
(protocol_declaration name: (type_identifier) @name) @definition.type
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(function_declaration name: [(simple_identifier) (custom_operator) "==" "!=" "===" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "+=" "-=" "*=" "/=" "!" "~" "&" "|" "^" "<<" ">>" "++" "--"] @name) @definition.function
(protocol_function_declaration name: [(simple_identifier) (custom_operator) "==" "!=" "===" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "+=" "-=" "*=" "/=" "!" "~" "&" "|" "^" "<<" ">>" "++" "--"] @name) @definition.function
(init_declaration "init" @name) @definition.function
(deinit_declaration "deinit" @name) @definition.function
(subscript_declaration "subscript" @name) @definition.function
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (_)) @definition.function
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)
  value: (lambda_literal)) @definition.function
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.value)
(lambda_literal) @local
(source_file (import_declaration) @preamble)
(attribute) @attribute
(comment) @comment
(multiline_comment) @comment
