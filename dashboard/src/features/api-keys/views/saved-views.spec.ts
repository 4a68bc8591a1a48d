import { apiKeysSearchDefaults } from '../../../common/api-keys/search.js';
import { isSameView, maxViews, parseViews, viewOf } from './saved-views.js';

const { orderBy, order } = apiKeysSearchDefaults;
const expired = { orderBy, order, state: 'expired' } as const;

describe('parseViews', () => {
  it('should read what was stored', () => {
    const views = [{ name: 'Old keys', search: expired }];
    expect(parseViews(JSON.stringify(views))).toEqual(views);
  });

  it.each([null, '', '{', 'null', '{"name":"Old keys"}', '[null, 1, "text", [], {}]', '[{"name":1,"search":{}}]'])(
    'should find no views in %j',
    (text) => {
      expect(parseViews(text)).toEqual([]);
    },
  );

  it('should ignore filters that it does not know, and values that are not valid', () => {
    const search = { state: 'lost', orderBy: 'color', order: 'ASC', page: 7, tag: 'search', owner: 'Ada' };
    const [view] = parseViews(JSON.stringify([{ name: 'Search', search }]));
    expect(view?.search).toEqual({ orderBy: 'createdAt', order: 'ASC', tag: 'search' });
  });

  it('should read only the first view with a name, and no more than the most allowed', () => {
    const named = (name: string) => ({ name, search: expired });
    expect(parseViews(JSON.stringify([named('Old'), named('OLD')]))).toEqual([named('Old')]);
    const many = Array.from({ length: maxViews + 1 }, (_, index) => named(`View ${index}`));
    expect(parseViews(JSON.stringify(many))).toEqual(many.slice(0, maxViews));
  });
});

describe('isSameView', () => {
  it('should compare filters and sorting, but not the page or the order of fields', () => {
    expect(isSameView(expired, viewOf({ page: 3, perPage: 100, state: 'expired', order, orderBy }))).toBe(true);
    expect(isSameView(expired, { ...expired, order: 'ASC' })).toBe(false);
    expect(isSameView(expired, { ...expired, tag: 'search' })).toBe(false);
  });
});
