import { useEffect, useState } from 'react';

/** Duration of a pause in typing, in milliseconds. */
const rest = 250;

/** Returns the value as of the last pause in typing, and whether the value is still current. */
export function useRested<Value>(
  value: Value,
  key: string,
): { readonly value: Value; readonly isRested: boolean } {
  const [rested, setRested] = useState({ value, key });
  useEffect(() => {
    if (rested.key === key) return;
    const timer = setTimeout(() => setRested({ value, key }), rest);
    return () => clearTimeout(timer);
  }, [key, rested.key, value]);
  return { value: rested.value, isRested: rested.key === key };
}
