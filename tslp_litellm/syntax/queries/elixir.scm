; Definitions, preamble and comments of Elixir. Modules are namespaces, and so no part of a name; a protocol is a type,
; the functions of an implementation belong to the type it is for. Each clause of a function is a definition.
((call target: (identifier) @_def (arguments . [
    (call target: (identifier) @name)
    (identifier) @name
    (binary_operator left: (call target: (identifier) @name))
    (binary_operator left: (identifier) @name)])) @definition.function
  (#any-of? @_def "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defn" "defnp"))
((call target: (identifier) @_def (arguments . (alias) @name.last)) @definition.type (#eq? @_def "defprotocol"))
((call target: (identifier) @_def (arguments (keywords (pair key: (keyword) @_for value: (alias) @name.last)))) @extension
  (#eq? @_def "defimpl") (#match? @_for "^for:"))
((unary_operator operand: (call target: (identifier) @_at (arguments . (binary_operator
    left: [(identifier) @name (call target: (identifier) @name)])))) @definition.type
  (#any-of? @_at "type" "typep" "opaque"))
((unary_operator operand: (call target: (identifier) @_at (arguments . (binary_operator
    left: (call target: (identifier) @name))))) @definition.function
  (#any-of? @_at "callback" "macrocallback"))
((do_block (unary_operator operand: (call target: (identifier) @name.attribute (arguments))) @definition.value)
  (#not-match? @name.attribute "^(doc|moduledoc|typedoc|spec|impl|deprecated|since|dialyzer|tag|describetag|moduletag|type|typep|opaque|callback|macrocallback|behaviour|derive|enforce_keys|before_compile|after_compile|compile|external_resource|on_load|optional_callbacks|on_definition|vsn|attr|slot)$"))
((unary_operator operand: (call target: (identifier) @_at)) @attribute
  (#any-of? @_at "doc" "typedoc" "spec" "impl" "deprecated" "since" "tag"))
(anonymous_function) @local
((call target: (identifier) @_use (arguments . (alias))) @preamble (#any-of? @_use "use" "import" "alias" "require"))
(comment) @comment
