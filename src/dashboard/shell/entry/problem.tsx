import { Callout } from '../../kit/callout.tsx';

/** Error message. Screen readers announce it when it appears. */
export const Problem = ({ text }: { readonly text: string | null }) => (
  <div role="alert">{text !== null && <Callout tone="negative">{text}</Callout>}</div>
);
