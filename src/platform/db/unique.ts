const codes: readonly unknown[] = ['P2002', '23505'];

/** True for a unique constraint violation, reported by Prisma or the driver. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && codes.includes(error.code);

/** True if waiting for a lock exceeded `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03';
