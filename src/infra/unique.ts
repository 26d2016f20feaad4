/** True for the database's word that a value which must be unique is taken, as Prisma reports it. */
export const isUniqueViolation = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'P2002';
