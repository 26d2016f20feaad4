import type { CatalogModule } from '../start.tsx';
import { start } from '../start.tsx';
import { portal } from './entry.tsx';

void start(portal, import.meta.glob<CatalogModule<unknown>>('../words/*/portal.json'));
