import { type CatalogModule, start } from '../start.tsx';
import { claim } from './entry.tsx';

void start(claim, import.meta.glob<CatalogModule<unknown>>('../words/*/account.json'));
