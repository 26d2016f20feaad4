import '../../../src/ui/tokens.css';
import en from 'virtual:words/kit/en';
import es from 'virtual:words/kit/es';
import { createRoot } from 'react-dom/client';
import { KitProvider } from '../../../src/dashboard/kit/provider.tsx';
import type { Words } from '../../../src/dashboard/words/words.ts';

// Gallery of the component kit with example values. The query string selects the page and language:
// `?page=parts|more|charts|lists&lang=es`.

const query = new URLSearchParams(location.search);
const isSpanish = query.get('lang') === 'es';
const pages = {
  parts: () => import('./parts.tsx'),
  more: () => import('./more.tsx'),
  charts: () => import('./charts.tsx'),
  lists: () => import('./lists.tsx'),
};
const load = pages[(query.get('page') ?? 'parts') as keyof typeof pages] ?? pages.parts;
const place = document.getElementById('root');
document.documentElement.lang = isSpanish ? 'es' : 'en';

const { Gallery } = await load();
if (place !== null)
  createRoot(place).render(
    <KitProvider
      locale={isSpanish ? 'es-ES' : 'en-US'}
      words={(isSpanish ? es : en) as Words['kit']}
      now={() => new Date('2026-11-23T12:00:00Z')}
    >
      <main style={{ height: '100dvh' }}>
        <Gallery />
      </main>
    </KitProvider>,
  );
