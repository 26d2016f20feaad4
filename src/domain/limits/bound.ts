// Rules of all limits (LIM-3, ALR-11). The arguments are results of comparisons, which are negative if the value is lower. The rules therefore
// apply to fractions and to whole numbers.

/** Returns true if a value hasn't reached a bound. */
export const isBefore = (isFalling: boolean, value: number): boolean => (isFalling ? value > 0 : value < 0);

/** Returns true if a movement stays within the amount of a limit. `isMore` is true if the value moves toward the amount. */
export const fits = (isFalling: boolean, isMore: boolean, after: number): boolean =>
  !isMore || after === 0 || isBefore(isFalling, after);

/** Returns true if a value crosses a threshold. `armed` is the value from which the threshold is armed. */
export const crosses = (isFalling: boolean, armed: number, after: number): boolean =>
  isBefore(isFalling, armed) && !isBefore(isFalling, after);
