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

const darkMode = window.matchMedia('(prefers-color-scheme: dark)');
const applyColors = () => document.documentElement.classList.toggle('dark-mode', darkMode.matches);
darkMode.addEventListener('change', applyColors);
applyColors();

if (document.readyState === 'complete') start();
else window.addEventListener('load', start, { once: true });
