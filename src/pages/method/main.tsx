import { type CatalogModule, start } from '../start.tsx';
import { method } from './entry.tsx';

void start(method, import.meta.glob<CatalogModule<unknown>>('../words/*/card.json'));
