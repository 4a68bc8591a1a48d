/** A page of prose, in English. */
export const englishProse = `The lighthouse keeper wrote every evening, whatever the weather had brought. He noted the ships that passed, the direction of the wind and the height of the waves at the foot of the tower. On quiet days he added what he had cooked, or how many gulls had rested on the railing.

In the winter of that year a storm lasted for eleven days. The supply boat could not land, and the keeper counted his candles twice. He wrote that fear is a poor reader of numbers: whoever counts twice finds less the second time. When the sea was calm again, forty letters were waiting for him in the harbour.

Years later the books were found in a chest below the stairs. The ink had faded on some pages, but most could still be read. They are kept in the museum now, next to the great lamp, and visitors turn the copies with clean hands.`;

/** A page of prose, in German. */
export const germanProse = `Der Bäcker öffnete früh am Morgen die Tür seines Ladens. Über Nacht hatte es geschneit, und die Straße lag weiß und still vor ihm. Er fürchtete, dass heute niemand käme, doch schon bald hörte er Schritte: Die Müllerin wünschte sich zwölf Brötchen und einen süßen Zopf.

Größere Bestellungen schrieb er in ein dünnes Heft. Am Ende des Monats zählte er die Einträge, rechnete die Beträge zusammen und überlegte, ob er für das nächste Jahr einen Gehilfen einstellen könnte.`;

/** A letter with numbers and names, in English. */
export const englishLetter = `Dear Ms Whitfield, thank you for your order no. 48213 of 7 May 2024. We dispatched 36 boxes of ceramic tiles, weighing 1,240 kg in total, from our warehouse in Leeds this morning. The carrier expects to reach your site on Thursday between 8:30 and 11:00; please make sure that somebody can sign for the goods.

Two boxes of the grey series (article KT-205) are out of stock until June. You can wait for them, take the sand series instead, or cancel that part for a full refund of £187.60. Call us on 0113 496 0021 or write to orders@brightwater-tiles.example.

The invoice is enclosed. Our usual discount of 3 % applies if you pay within 14 days.`;

/** A report, in English. */
export const englishReport = `Rainfall in the upper valley exceeded the average of the past thirty years by 22 percent. Most of it fell in only nine days, which overloaded the drains in the old quarter and damaged four bridges. Engineers inspected every crossing below the reservoir and closed the footbridge at Mill Lane until further notice.

The committee recommends three measures. First, gauges above the weir should report every ten minutes rather than every hour. Second, the storage basin near the railway has to be cleared of gravel before October. Third, residents of the lower streets need a single telephone number for warnings, because last year they received contradictory advice from two offices.`;

/** A page of prose, in Greek. */
export const greekProse = `Ο φαροφύλακας έγραφε κάθε βράδυ, όποιον καιρό κι αν έκανε. Σημείωνε τα πλοία που περνούσαν, την κατεύθυνση του ανέμου και το ύψος των κυμάτων. Τις ήσυχες μέρες πρόσθετε τι είχε μαγειρέψει ή πόσοι γλάροι είχαν καθίσει στα κάγκελα.

Τον χειμώνα εκείνης της χρονιάς μια καταιγίδα κράτησε έντεκα μέρες. Το καΐκι με τα τρόφιμα δεν μπορούσε να πλησιάσει, και ο φύλακας μέτρησε τα κεριά του δύο φορές. Όταν η θάλασσα ηρέμησε, σαράντα γράμματα τον περίμεναν στο λιμάνι.`;

/** Everyday texts. The keys are the codes of Tesseract's language data. */
export const textsByLanguage = {
  eng: englishProse,
  deu: germanProse,
  fra: `Chère Madame, nous avons bien reçu votre réclamation du 3 février au sujet du réfrigérateur livré le mois dernier. Après vérification, il apparaît que la porte a été abîmée pendant le transport ; nous vous prions d'accepter nos excuses. Un technicien passera chez vous mardi prochain, entre neuf heures et midi, afin de la remplacer gratuitement.

L'été dernier, au bord de la mer, les enfants jouaient sur la plage jusqu'à la tombée de la nuit. Leur grand-père, assis à l'ombre d'un vieux chêne, lisait le journal où l'on annonçait déjà la rentrée. « Rien ne presse », répétait-il, en regardant les bateaux s'éloigner vers l'île.`,
  spa: `Estimado señor Ibáñez: le confirmamos la reserva de una habitación doble para las noches del 12 al 15 de agosto. El desayuno está incluido en el precio y se sirve en la terraza entre las siete y las diez. ¿Necesita aparcamiento? Avísenos con antelación, porque sólo quedan cuatro plazas junto al jardín.

Cuando llegó el otoño, la abuela reunió a los niños alrededor de la chimenea y les contó la historia del pequeño pingüino que quería aprender a volar. Ninguno de ellos olvidó aquella tarde: afuera llovía, el café hervía en la cocina y el viento movía las ramas del viejo castaño.`,
  ita: `Gentile cliente, la informiamo che la biblioteca comunale resterà chiusa dal 6 al 19 agosto perché verrà rifatto l'impianto elettrico. I libri già presi in prestito potranno essere restituiti entro la fine del mese senza alcuna penalità. Per qualsiasi necessità può scrivere all'ufficio, che risponderà al più presto.

Il treno arrivò con mezz'ora di ritardo, e il signor Bianchi capì subito che non avrebbe più trovato nessuno ad aspettarlo. Attraversò la piazza deserta, entrò nell'unico caffè ancora aperto e chiese una cioccolata calda. Fuori cominciava a nevicare: così la città, di solito rumorosa, gli sembrò più gentile.`,
  por: `Prezado cliente, a sua encomenda saiu ontem do nosso armazém e deverá chegar até sexta-feira. Se não estiver em casa, o motorista deixará um aviso com o endereço da estação onde poderá levantá-la. As devoluções são gratuitas durante trinta dias, desde que o produto esteja na embalagem original.

A manhã começou com nevoeiro, mas às onze horas o sol já iluminava as casas brancas da aldeia. Os pescadores remendavam as redes no cais e falavam da tempestade da semana anterior. Ninguém se lembrava de ondas tão altas; o avô do João, porém, garantia que em criança tinha visto piores.`,
  nld: `Geachte mevrouw De Vries, hierbij bevestigen wij uw afspraak op donderdag 21 maart om kwart over tien. Neem alstublieft uw verzekeringspas en een geldig identiteitsbewijs mee. Bent u verhinderd? Bel ons dan uiterlijk vierentwintig uur van tevoren, zodat wij een andere patiënt kunnen helpen.

De fietser stopte bij de brug en keek naar de schepen die langzaam door de sluis voeren. Het was een heldere ochtend, het gras was nog nat en ergens achter de dijk blafte een hond. Hij besloot een omweg te nemen langs het bos, want voor het eerst sinds weken had hij helemaal geen haast.`,
} as const;
