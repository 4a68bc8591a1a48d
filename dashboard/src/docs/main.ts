/** The page is complete without the interactive reference, which is larger than everything else together. */
async function showReference(): Promise<void> {
  const { mountReference } = await import('./reference.js');
  const place = document.createElement('div');
  const finish = () => {
    const overview = document.getElementById('reference');
    overview?.replaceChildren(place);
    // The URL may name a section that exists only now.
    if (window.location.hash !== '') document.getElementById(window.location.hash.slice(1))?.scrollIntoView();
  };
  mountReference(place, finish);
}

function start(): void {
  void showReference();
}

if (document.readyState === 'complete') start();
else window.addEventListener('load', start, { once: true });

/** Where Mantine stores the color scheme of the dashboard. */
const colorSchemeKey = 'mantine-color-scheme-value';
const systemDarkMode = window.matchMedia('(prefers-color-scheme: dark)');

/** Applies the color scheme chosen in the dashboard, or else the system's. */
function applyColors(): void {
  const chosen = window.localStorage.getItem(colorSchemeKey);
  const isDark = chosen === 'light' || chosen === 'dark' ? chosen === 'dark' : systemDarkMode.matches;
  const { classList } = document.documentElement;
  classList.toggle('dark-mode', isDark);
  classList.toggle('light-mode', !isDark);
}

systemDarkMode.addEventListener('change', applyColors);
window.addEventListener('storage', applyColors);
applyColors();
