import { useEffect } from 'preact/hooks';
import { webAddress } from '../parts/frame.tsx';

/** Long enough to read the confirmation. */
const readingMs = 2_000;

/** Leads back to where the seller wants the payer to go, once that is due. */
export function useReturn(address: string | null, isDue: boolean): void {
  useEffect(() => {
    const target = webAddress(address);
    if (!isDue || target === null) return;
    const timer = setTimeout(() => location.assign(target), readingMs);
    return () => clearTimeout(timer);
  }, [address, isDue]);
}
