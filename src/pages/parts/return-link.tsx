import { useLazyCode } from '../data/lazy-code.ts';
import { Onward, webAddress } from './frame.tsx';

type ReturnProps = {
  /** URL of the merchant to return to. `null` if there's no valid URL. */
  readonly address: string | null;
  readonly text: string;
  /** True to open the URL automatically. */
  readonly isDue: boolean;
};

/** Countdown, whose code is loaded after the customer first touches the page. */
function LazyLeaving({ target }: { readonly target: string }) {
  const lazyCode = useLazyCode();
  return lazyCode === null ? null : <lazyCode.Leaving target={target} words={lazyCode.words} />;
}

/** Link back to the merchant, which opens automatically after a countdown. The customer can cancel the countdown. */
export function Return({ address, text, isDue }: ReturnProps) {
  const target = webAddress(address);
  return (
    <>
      <Onward address={address} text={text} />
      {isDue && target !== null ? <LazyLeaving target={target} /> : null}
    </>
  );
}
