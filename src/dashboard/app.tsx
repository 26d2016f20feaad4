import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { Provider } from 'urql';
import { openClient } from './data/client.ts';
import { now, useHour } from './data/clock.ts';
import { environment, hasSession, organization } from './data/place.ts';
import { useStore } from './data/store.ts';
import { readViewer } from './data/viewer.ts';
import { KitProvider } from './kit/provider.tsx';
import { router } from './router.tsx';
import { openAddress } from './router-address.ts';
import { Entry } from './shell/entry/entry.tsx';
import { locale } from './words/language.ts';
import { useWords } from './words/words.ts';

const entryClient = openClient();

// Loads the signed-in user before the first render. If the session has expired, the sign-in page appears.
if (hasSession) void readViewer(entryClient, { isAnonymous: true });

/** Renders the pages. Each organization and environment has its own cache. */
function Pages() {
  const place = `${useStore(organization)} ${useStore(environment)}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: Another place has a cache of its own.
  const client = useMemo(openClient, [place]);
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => void router.load().then(() => setLoaded(true)), []);
  if (!isLoaded) return null;
  return (
    <Provider value={client} key={place}>
      <RouterProvider router={router} />
    </Provider>
  );
}

/** Renders the sign-in page until a user is signed in, then the pages. */
export function App() {
  const words = useWords('kit');
  // Rerenders relative times when the test clock moves.
  useHour();
  return (
    <KitProvider locale={locale} words={words} now={now} navigate={openAddress}>
      <Provider value={entryClient}>
        <Entry>
          <Pages />
        </Entry>
      </Provider>
    </KitProvider>
  );
}
