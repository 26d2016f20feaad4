/** Rounds the value of a number field. Returns `null` if the field is empty. */
export const wholeOrNull = (value: number): number | null => (Number.isNaN(value) ? null : Math.round(value));
