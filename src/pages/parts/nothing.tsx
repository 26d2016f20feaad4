import { Alert, Frame, Status } from './frame.tsx';

/** A page that has nothing to show: its link leads nowhere, or the service did not answer. */
export const NothingToShow = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <Frame branding={null} title={title}>
    <Status text="" working={null} />
    <Alert text={text} />
  </Frame>
);
