'use client';

import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type CustomerSnapshot, type FeatureSnapshot, noAccess } from './snapshot.ts';
import { texts as defaults, type Texts } from './texts.ts';

type Value = {
  readonly customer: CustomerSnapshot | null;
  readonly texts: Texts;
  readonly locale: string;
  readonly refresh: () => Promise<void>;
  readonly error: unknown;
};

const Context = createContext<Value | null>(null);

export type ProviderProps = {
  /** Access of the signed-in customer, from `readCustomer` on the server. `null` if the visitor isn't signed in. */
  readonly customer: CustomerSnapshot | null;
  /** Requests the current access from your server. Without this function, the access doesn't change. */
  readonly refresh?: () => Promise<CustomerSnapshot | null>;
  /** Interval in milliseconds between requests while the page is visible. 0 disables them. Defaults to 60,000. */
  readonly refreshMs?: number;
  /** Language of numbers and prices, and of the default texts in English and Spanish. Defaults to `en`. */
  readonly locale?: string;
  /** Texts that replace the default texts. */
  readonly texts?: Partial<Texts>;
  readonly children?: ReactNode;
};

/** Provides the access of the customer to the components below. Sends no request while it renders. */
export function QuittanceProvider({
  customer: provided,
  refresh: request,
  refreshMs = 60_000,
  locale = 'en',
  texts,
  children,
}: ProviderProps) {
  const [customer, setCustomer] = useState(provided);
  const [error, setError] = useState<unknown>(null);
  // A response to an older request never replaces a newer one.
  const latest = useRef(0);
  useEffect(() => {
    latest.current += 1;
    setCustomer(provided);
  }, [provided]);
  const refresh = useCallback(async () => {
    if (request === undefined) return;
    latest.current += 1;
    const own = latest.current;
    try {
      const found = await request();
      if (own !== latest.current) return;
      setCustomer(found);
      setError(null);
    } catch (failure) {
      // The last known access remains.
      if (own === latest.current) setError(failure);
    }
  }, [request]);
  useEffect(() => {
    if (request === undefined || refreshMs <= 0) return;
    const refreshVisible = (): void => {
      if (document.visibilityState === 'visible') void refresh();
    };
    const timer = setInterval(refreshVisible, refreshMs);
    document.addEventListener('visibilitychange', refreshVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refreshVisible);
    };
  }, [request, refresh, refreshMs]);
  const value = useMemo(
    () => ({
      customer,
      locale,
      refresh,
      error,
      texts: { ...(locale.startsWith('es') ? defaults.es : defaults.en), ...texts },
    }),
    [customer, locale, refresh, error, texts],
  );
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

/** Returns the access of the customer, and a function that requests it again. Throws without a provider. */
export function useQuittance(): Value {
  const value = useContext(Context);
  if (value === null) throw new Error('The component must be inside QuittanceProvider.');
  return value;
}

/** Returns the access of the customer to a feature. */
export function useEntitlement(feature: string): FeatureSnapshot {
  const { customer } = useQuittance();
  return customer !== null && Object.hasOwn(customer.features, feature)
    ? (customer.features[feature] ?? noAccess)
    : noAccess;
}
