/**
 * Removes enum casts from the RETURNING clause of a Prisma statement, because a distributed database rejects them. The driver returns enums
 * as text even without the casts. The replacement is safe because Prisma's statements contain no literal values.
 */
export function withPlainReturning<Query extends { readonly sql: string }>(query: Query): Query {
  const at = query.sql.lastIndexOf(' RETURNING ');
  if (at === -1) return query;
  const returning = query.sql.slice(at).replaceAll('"::text', '"');
  return { ...query, sql: query.sql.slice(0, at) + returning };
}
