import { usePage } from '../data/current-page.ts';
import { ButtonLink } from '../parts/button.tsx';
import { pageAddress } from '../parts/frame.tsx';

/** Link to the receipt of a paid checkout. */
export function Receipt({ address }: { readonly address: string | null }) {
  const page = usePage();
  const target = pageAddress(address, page);
  return target === null ? null : (
    <ButtonLink id="receipt" kind="quiet" href={target}>
      {page.words.payment.receipt}
    </ButtonLink>
  );
}
