import { Callout } from '../../kit/callout.tsx';

/** Why something was not done, read out as it appears. */
export const Problem = ({ text }: { readonly text: string | null }) => (
  <div role="alert">{text !== null && <Callout tone="negative">{text}</Callout>}</div>
);
