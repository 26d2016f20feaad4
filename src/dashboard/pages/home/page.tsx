import { useData } from '../../data/hooks.ts';
import { Columns, Stack } from '../../kit/layout.tsx';
import { Page } from '../../kit/page.tsx';
import { WelcomeLink } from '../../parts/welcome/welcome-link.tsx';
import { useWords } from '../../words/words.ts';
import { Attention } from './attention.tsx';
import { FigureTiles } from './figure-tiles.tsx';
import { HomeDocument } from './page.graphql';
import { Now } from './recent-activity.tsx';
import { Coming } from './upcoming.tsx';

/** Home page: attention items, metrics, latest events, and upcoming events. */
export default function HomePage() {
  const { home } = useWords('titles');
  const { data } = useData(HomeDocument, {});
  return (
    <Page title={home} subtitle={data?.organization.name ?? '\u00a0'}>
      <Stack gap={5}>
        <WelcomeLink />
        <FigureTiles currency={data?.organization.reportingCurrency ?? null} />
        <Columns count="aside">
          <Stack gap={5}>
            <Attention />
            <Coming />
          </Stack>
          <Now />
        </Columns>
      </Stack>
    </Page>
  );
}
