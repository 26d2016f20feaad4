import { useEffect, useRef, useState } from 'react';

/** A text as it is typed, given on 200 ms after the last key; it follows changes from outside. */
export function useTyped(
  value: string,
  onChange: ((text: string) => void) | undefined,
): [string, (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const given = useRef(value);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    if (value === given.current) return;
    given.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed === given.current) return;
    const timer = setTimeout(() => {
      given.current = typed;
      latest.current?.(typed);
    }, 200);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped];
}
