// JSON schemas in words.

// `all` holds the schemas that others refer to by name.
export function shape(schema, all, depth = 0) {
  if (!schema || depth > 4) return "…";
  if (schema.$ref) return shape(all[schema.$ref.split("/").pop()], all, depth + 1);
  if (schema.anyOf) return schema.anyOf.map((each) => shape(each, all, depth + 1)).join(" or ");
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === "array") return `[${shape(schema.items, all, depth + 1)}]`;
  return schema.type ?? "any";
}
