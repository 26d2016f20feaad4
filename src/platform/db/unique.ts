const codes: readonly unknown[] = ['P2002', '23505'];

/** True for the database's word that a value which must be unique is taken, as Prisma or the driver reports it. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && codes.includes(error.code);

/** True when a lock was waited for longer than `lock_timeout` allows. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03';
