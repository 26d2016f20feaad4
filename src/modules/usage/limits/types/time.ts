/** Returns the time for an ISO text. */
export const timeIn = (text: string | null): Date | null => (text === null ? null : new Date(text));
