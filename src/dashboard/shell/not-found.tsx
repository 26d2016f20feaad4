import { addressOf } from '../address.ts';
import { LinkButton } from '../kit/button.tsx';
import { Page } from '../kit/page.tsx';
import { EmptyState } from '../kit/states.tsx';
import { useWords } from '../words/words.ts';

/** Page for unknown URLs. */
export default function NotFound() {
  const words = useWords('shell').notFound;
  const { notFound } = useWords('titles');
  return (
    <Page title={notFound}>
      <EmptyState
        title={words.text}
        action={<LinkButton href={addressOf('home')}>{words.home}</LinkButton>}
      />
    </Page>
  );
}
