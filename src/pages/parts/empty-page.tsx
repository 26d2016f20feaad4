import { Alert, Frame, Status } from './frame.tsx';

/** Page without content, for an invalid link or a missing response. */
export const NothingToShow = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <Frame branding={null} title={title}>
    <Status text="" working={null} />
    <Alert text={text} />
  </Frame>
);
