'use client';

import { type ButtonHTMLAttributes, useRef, useState } from 'react';
import { useQuittance } from './provider.tsx';

export type RedirectButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick'> & {
  /** Requests the URL of the page from your server. */
  readonly open: () => Promise<string>;
  /** Opens the page. Defaults to the current window. */
  readonly navigate?: (url: string) => void;
  /** Called if the URL can't be requested. */
  readonly onError?: (error: unknown) => void;
};

const go = (url: string): void => window.location.assign(url);

/** Button that requests a URL and opens it. A second click during the request does nothing. */
function RedirectButton({
  open,
  navigate = go,
  onError,
  text,
  className,
  children,
  ...rest
}: RedirectButtonProps & { readonly text: string }) {
  const { texts } = useQuittance();
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const isBusy = useRef(false);
  const click = async (): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    setState('busy');
    try {
      navigate(await open());
      setState('idle');
    } catch (error) {
      setState('failed');
      onError?.(error);
    } finally {
      isBusy.current = false;
    }
  };
  return (
    <>
      <button
        type="button"
        {...rest}
        className={className}
        aria-busy={state === 'busy'}
        onClick={() => void click()}
      >
        {children ?? text}
      </button>
      {state === 'failed' ? <span role="alert">{texts.failed}</span> : null}
    </>
  );
}

/** Button that opens a checkout. `open` returns the `checkoutUrl` of a subscription or plan change that your server created. */
export function CheckoutButton({ className = 'quittance-checkout', ...props }: RedirectButtonProps) {
  return <RedirectButton {...props} className={className} text={useQuittance().texts.checkout} />;
}

/** Button that opens the customer portal. `open` returns the `portalUrl` of a session that your server created. */
export function PortalButton({ className = 'quittance-portal', ...props }: RedirectButtonProps) {
  return <RedirectButton {...props} className={className} text={useQuittance().texts.portal} />;
}
