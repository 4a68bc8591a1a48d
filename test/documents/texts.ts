/** A page of prose, in English. */
export const englishProse = `The lighthouse keeper wrote every evening, whatever the weather had brought. He noted the ships that passed, the direction of the wind and the height of the waves at the foot of the tower. On quiet days he added what he had cooked, or how many gulls had rested on the railing.

In the winter of that year a storm lasted for eleven days. The supply boat could not land, and the keeper counted his candles twice. He wrote that fear is a poor reader of numbers: whoever counts twice finds less the second time. When the sea was calm again, forty letters were waiting for him in the harbour.

Years later the books were found in a chest below the stairs. The ink had faded on some pages, but most could still be read. They are kept in the museum now, next to the great lamp, and visitors turn the copies with clean hands.`;

/** A page of prose, in German. */
export const germanProse = `Der Bäcker öffnete früh am Morgen die Tür seines Ladens. Über Nacht hatte es geschneit, und die Straße lag weiß und still vor ihm. Er fürchtete, dass heute niemand käme, doch schon bald hörte er Schritte: Die Müllerin wünschte sich zwölf Brötchen und einen süßen Zopf.

Größere Bestellungen schrieb er in ein dünnes Heft. Am Ende des Monats zählte er die Einträge, rechnete die Beträge zusammen und überlegte, ob er für das nächste Jahr einen Gehilfen einstellen könnte.`;
