import { useEffect, useRef, useState } from 'react';

/** State of a text field that reports the typed text 200 ms after the last keystroke. A new `value` replaces the typed text. */
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
