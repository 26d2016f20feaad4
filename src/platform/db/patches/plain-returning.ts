/**
 * A statement of Prisma without the casts of enums in what a write returns: a server that distributes rows over others rejects them, since how an
 * enum is written as text may change. The driver reads an enum as text without the cast. Statements of Prisma carry no values in their text.
 */
export function withPlainReturning<Query extends { readonly sql: string }>(query: Query): Query {
  const at = query.sql.lastIndexOf(' RETURNING ');
  if (at === -1) return query;
  const returning = query.sql.slice(at).replaceAll('"::text', '"');
  return { ...query, sql: query.sql.slice(0, at) + returning };
}
